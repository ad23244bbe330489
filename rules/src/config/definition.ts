import { Type, type TObject, type TSchema } from '@sinclair/typebox'
import { CLIENT_IDS } from '../clients.js'
import { rules } from '../registry.js'
import { isSettable } from '../rule.js'
import { SEVERITIES } from '../settings.js'

const closed = { additionalProperties: false } as const

const oneOf = (values: readonly string[], expects: string, description?: string): TSchema =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { expects, ...(description !== undefined && { description }) }
  )

const listOf = (item: TSchema, expects: string, description: string): TSchema =>
  Type.Array(item, { description, expects })

const globs = Type.Union(
  [Type.String({ expects: 'a glob' }), Type.Array(Type.String({ expects: 'a glob' }), { expects: 'a list of globs' })],
  { description: 'Files, as globs from the folder of the configuration.', expects: 'a glob, or a list of globs' }
)

const severityText = `a severity (${SEVERITIES.join(', ')})`

/** The settings of a rule: a severity, or an object with the options of that very rule. */
function settingOf({ id, summary, options }: (typeof rules)[number]): TSchema {
  const properties = Object.fromEntries(
    Object.entries(options?.properties ?? {}).map(([name, schema]) => [name, Type.Optional(schema as TSchema)])
  )
  return Type.Union(
    [
      ...SEVERITIES.map((severity) => Type.Literal(severity)),
      Type.Object(
        { severity: Type.Optional(oneOf(SEVERITIES, severityText)), ...properties },
        { ...closed, expects: `an object with severity and options of ${id}` }
      )
    ],
    { description: summary, expects: `${severityText}, or an object with \`severity\` and options` }
  )
}

const settable = rules.filter(isSettable)

const ruleSettings = Type.Object(
  Object.fromEntries(settable.map((rule) => [rule.id, Type.Optional(settingOf(rule))])),
  {
    ...closed,
    description: 'Severity and options by rule.',
    expects: 'a map from rules to severities'
  }
)

const clientList = listOf(
  oneOf(CLIENT_IDS, `a client (${CLIENT_IDS.join(', ')})`),
  `a list of clients (${CLIENT_IDS.join(', ')})`,
  'The clients that the tools are meant for.'
)

const positive = (description: string): TSchema => Type.Integer({ description, minimum: 1, expects: 'a whole number' })

const budgets = Type.Object(
  {
    toolTokens: Type.Optional(positive('Most tokens of one tool definition (x-agent-token-budget).')),
    profileTokens: Type.Optional(positive('Most tokens of all tools of a profile (x-agent-token-budget).')),
    tools: Type.Optional(positive('Most tools of a profile (x-agent-too-many-tools).')),
    descriptionCharacters: Type.Optional(positive('Longest description of a tool (x-agent-description-too-long).'))
  },
  { ...closed, description: 'Short for the options of the rules about size.', expects: 'an object of budgets' }
)

/** The configuration as a schema: validation, the published JSON Schema and the reference come from here. */
export const ConfigDefinition: TObject = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: 'Address of this schema, for editors.', expects: 'an address' })),
    documents: Type.Optional(
      listOf(
        Type.Union(
          [
            Type.String({ expects: 'a glob' }),
            Type.Object(
              {
                files: globs,
                profiles: Type.Optional(
                  Type.Array(
                    Type.Union(
                      [
                        Type.String({ expects: 'a profile name' }),
                        Type.Array(Type.String({ expects: 'a profile name' }), { expects: 'a list of profile names' })
                      ],
                      { expects: 'a profile name, or a list of them' }
                    ),
                    {
                      description: 'The set of profiles that agents ask for, or a list of such sets.',
                      expects: 'a list of profile names, or a list of such lists'
                    }
                  )
                ),
                overlays: Type.Optional(Type.Unknown({ description: 'Not applied yet.', not: {} }))
              },
              { ...closed, expects: 'an object with files' }
            )
          ],
          { expects: 'a glob, or an object with files' }
        ),
        'a list of globs',
        'The documents to check where none are named: globs, or objects with `files` and `profiles`.'
      )
    ),
    rules: Type.Optional(ruleSettings),
    clients: Type.Optional(clientList),
    budgets: Type.Optional(budgets),
    overrides: Type.Optional(
      listOf(
        Type.Object(
          {
            files: globs,
            rules: Type.Optional(ruleSettings),
            clients: Type.Optional(clientList),
            budgets: Type.Optional(budgets)
          },
          { ...closed, expects: 'an object with files and settings' }
        ),
        'a list of overrides',
        'Settings for some of the documents. Of several that fit, the last one wins.'
      )
    ),
    ignore: Type.Optional(
      listOf(
        Type.String({ expects: 'a glob' }),
        'a list of globs',
        'Files that are left out where folders and globs are searched.'
      )
    ),
    ignoreFile: Type.Optional(
      Type.String({
        description: 'File with findings that are accepted, by document, rule and JSON Pointer.',
        expects: 'a path'
      })
    ),
    baseline: Type.Optional(
      Type.String({
        description: 'File with the findings of the day on which the check began; only others are reported.',
        expects: 'a path'
      })
    ),
    ruleset: Type.Optional(
      Type.String({ description: "The team's own Spectral ruleset, run in the same report.", expects: 'a path' })
    ),
    failOn: Type.Optional(
      oneOf(
        ['error', 'warning', 'info', 'never'],
        'error, warning, info or never',
        'The least severity that makes the command fail. Default: error.'
      )
    ),
    maxWarnings: Type.Optional(
      Type.Integer({ description: 'With more warnings the command fails.', minimum: 0, expects: 'a whole number' })
    )
  },
  { ...closed, expects: 'an object' }
)

/** The published JSON Schema of the configuration. */
export function configSchema(): Record<string, unknown> {
  const plain = JSON.parse(JSON.stringify(ConfigDefinition), (key, value: unknown) =>
    key === 'expects' || key === 'example' ? undefined : value
  ) as { properties: { overrides: { items: { properties: Record<string, unknown> } } } }
  // What overrides share with the whole is long: written once.
  for (const name of ['rules', 'clients', 'budgets']) {
    plain.properties.overrides.items.properties[name] = { $ref: `#/properties/${name}` }
  }
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'openapi-mcp configuration', ...plain }
}
