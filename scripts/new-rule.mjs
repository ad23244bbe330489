// Writes the skeleton of a rule and puts it into the registry: `npm run new-rule -- <id> --category <category>`.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { categories } from '../rules/dist/index.js'

const { values, positionals } = parseArgs({ options: { category: { type: 'string' } }, allowPositionals: true })
const [id] = positionals
const { category } = values
const problem = problemOf()
if (problem === undefined) {
  await import('./generate-rules.mjs')
  console.log(`rules/src/rules/${id}.ts is written. Fill it in, then run \`npm run docs\`.`)
} else {
  console.error(`${problem}\nUsage: npm run new-rule -- <id> --category <category>`)
  process.exitCode = 1
}

function problemOf() {
  if (positionals.length !== 1 || !/^[a-z]+(-[a-z0-9]+)+$/.test(id))
    return 'A rule is named by words in lower case with hyphens between them, such as x-agent-unused-profile.'
  if (!Object.hasOwn(categories, category ?? '')) return `The category is one of ${Object.keys(categories).join(', ')}.`
  try {
    writeFileSync(new URL(`../rules/src/rules/${id}.ts`, import.meta.url), skeleton(), { flag: 'wx' })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return `There is a rule ${id} already.`
  }
  return undefined
}

function skeleton() {
  return `import { defineRule } from '../rule.js'

export default defineRule({
  id: '${id}',
  category: '${category}',
  severity: 'warning',
  summary: 'What holds where the rule is kept, in one sentence.',
  why: 'What a user loses where it is not.',
  examples: {
    wrong: \`operationId: readItem
x-agent: { title: TODO }
responses: { '200': { description: ok } }\`,
    right: \`operationId: readItem
x-agent: { title: Read one item }
responses: { '200': { description: ok } }\`
  },
  check({ definitions, report }) {
    for (const { view, name } of definitions) {
      if (view.annotation.title !== 'TODO') continue
      report(view.node, { message: \`\${name} is not finished\`, on: 'key' })
    }
  }
})
`
}
