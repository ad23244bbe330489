/** Folder of the rules' pages, from the root of the repository; an address on the web once there is one. */
const PAGES = 'docs/rules/'

/** Address of the page of a rule. */
export function ruleUrl(id: string): string {
  return `${PAGES}${id}.md`
}
