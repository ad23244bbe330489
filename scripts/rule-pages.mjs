// The pages of docs/rules/: one for each rule, and the list of them all.
import { DESCRIPTION_LINTS } from '../packages/core/dist/node/index.js'
import { categories, isRefused, isSettable, ruleUrl, rules } from '../rules/dist/index.js'

/** Pages in Markdown by their address. */
export function rulePages() {
  return [['docs/rules/README.md', listPage()], ...rules.map((rule) => [ruleUrl(rule.id), rulePage(rule)])]
}

function listPage() {
  const parts = [
    '# Rules',
    'Generated from `rules/src/rules/` by `npm run docs`.',
    'What `lint` finds. A ✔ marks what `lint --fix` mends, where it can tell what is meant. Severities and options are set in the [configuration](../configuration.md); [suppressions](../suppressions.md) hold single findings back.'
  ]
  for (const [category, title] of Object.entries(categories)) {
    const rows = rules
      .filter((rule) => rule.category === category)
      .map((rule) => {
        const options = Object.keys(rule.options?.properties ?? {}).map((name) => `\`${name}\``)
        const link = `[${rule.id}](${rule.id}.md)`
        return row(link, rule.severity, rule.fix ? '✔' : '', rule.summary, options.join(', '))
      })
    if (rows.length === 0) continue
    const head = [row('Rule', 'Severity', 'Fix', 'What holds', 'Options'), row('---', '---', '---', '---', '---')]
    parts.push(`## ${title}`, [...head, ...rows].join('\n'))
  }
  return parts.join('\n\n')
}

function rulePage(rule) {
  const { id, category, severity, summary, why, examples, options } = rule
  const settings = exampleSettings(rule)
  const parts = [
    `<!-- Generated from rules/src/rules/${id}.ts by \`npm run docs\`. -->`,
    `# ${id}`,
    summary,
    why,
    [
      row('Severity', 'Category', 'Fix'),
      row('---', '---', '---'),
      row(severity, categories[category], rule.fix ? '`lint --fix`, where it can tell what is meant' : 'by hand')
    ].join('\n'),
    '## Wrong',
    ...(settings ? ['With these settings:', fenced('json', JSON.stringify(settings, null, 2))] : []),
    fencedExample(examples.wrong),
    '## Right',
    fencedExample(examples.right)
  ]
  if (options) parts.push('## Options', optionsTable(options))
  parts.push('## Settings')
  if (isSettable(rule)) {
    parts.push(
      `In the [configuration](../configuration.md). The severity is \`error\`, \`warning\`, \`info\` or \`hint\`; \`off\` suppresses every finding of the rule.${aboutLoad(rule)}`,
      fenced('yaml', `rules:\n  ${id}: ${settingOf(options)}`)
    )
  } else parts.push('None: a mistake in the configuration is one under all settings.')
  if (!id.endsWith('-syntax') && rule.foundBy === undefined) {
    parts.push(
      'One finding is held back [where it stands](../suppressions.md):',
      fenced('yaml', `# openapi-mcp-disable-next-line ${id} -- why`)
    )
  }
  return parts.join('\n\n')
}

function aboutLoad(rule) {
  if (DESCRIPTION_LINTS.includes(rule.id)) return ' For `load` the option `lint` does that: `error`, `warn` or `off`.'
  return isRefused(rule) ? ' `load` refuses such a document all the same.' : ''
}

/** A setting that shows all there is to set. */
function settingOf(options) {
  if (!options) return 'off'
  const defaults = Object.entries(options.properties).map(
    ([name, option]) => `${name}: ${JSON.stringify(option.default)}`
  )
  return `{ ${['severity: off', ...defaults].join(', ')} }`
}

function exampleSettings({ id, examples: { settings } }) {
  if (!settings?.clients && !settings?.options) return undefined
  const { clients, options } = settings
  return { ...(clients && { clients }), ...(options && { rules: { [id]: options } }) }
}

function optionsTable(options) {
  const rows = Object.entries(options.properties).map(([name, option]) =>
    row(`\`${name}\``, option.expects ?? option.type, `\`${JSON.stringify(option.default)}\``, option.description)
  )
  const head = [row('Option', 'Value', 'Default', 'Meaning'), row('---', '---', '---', '---')]
  return [...head, ...rows].join('\n')
}

function row(...cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function fencedExample(text) {
  return fenced(text.startsWith('{') ? 'json' : 'yaml', text)
}

function fenced(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``
}
