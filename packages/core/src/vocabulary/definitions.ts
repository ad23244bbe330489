import { Type, type Static, type TSchema } from '@sinclair/typebox'

/**
 * The vocabulary, one definition per scope. Validation, the published JSON Schema, the static types and the reference in
 * `docs/` all come from here. `description` is what authors read; `expects` completes "must be …" in findings.
 */
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    /** Completes "must be …". */
    expects?: string
    /** What a name that breaks the pattern should look like. */
    example?: unknown
  }
}

const closed = { additionalProperties: false } as const

const localized = (description: string): TSchema & { static: LocalizedText } =>
  Type.Unsafe<LocalizedText>(
    Type.Union(
      [
        Type.String(),
        Type.Record(Type.String(), Type.String({ expects: 'text' }), {
          minProperties: 1,
          expects: 'a map from locales to texts, such as { en: …, fr: … }'
        })
      ],
      { description, expects: 'text, or a map from locales to texts such as { en: …, fr: … }' }
    )
  )

/** Agent-facing text: plain, or one text per locale (x-agent vocabulary, "Localized text"). */
export type LocalizedText = string | Record<string, string>

const flag = (description: string) => Type.Boolean({ description, expects: 'true or false' })

const names = (description: string, of: string) =>
  Type.Array(Type.String({ expects: `${of}, as text` }), { description, expects: `a list of ${of}s` })

const profileChoice = (description: string) =>
  Type.Union(
    [
      Type.Array(Type.String({ expects: 'a profile name' }), { expects: 'a list of profile names' }),
      Type.Literal(true)
    ],
    {
      description,
      expects: 'a list of profile names, or true for every profile'
    }
  )

export const ProfileDefinition = Type.Object(
  {
    title: Type.Optional(localized('Title of the profile.')),
    description: Type.Optional(localized('What the profile is for.')),
    includes: Type.Optional(
      names('Other declared profiles whose operations this one selects, too. Expanded transitively.', 'profile name')
    )
  },
  { ...closed, expects: 'an object with title, description and includes' }
)

/** Agent Skills: the longest description of a SKILL.md, in characters. */
export const LONGEST_SKILL_DESCRIPTION = 1024

export const SkillDefinition = Type.Object(
  {
    name: Type.String({
      description: 'Name in the Agent Skills format; the last segment of `skill://…/<name>/SKILL.md`.',
      pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
      maxLength: 64,
      example: 'getting-started',
      expects: 'lower-case words joined by single hyphens, at most 64 characters'
    }),
    description: localized(
      'Markdown text. Its first paragraph describes the skill, and the whole is the body. Beside `body` or `href` all of it describes the skill, in at most 1024 characters.'
    ),
    body: Type.Optional(localized('Markdown body of the skill, read on demand.')),
    href: Type.Optional(localized('Address of a markdown file that holds the body, relative to the document.')),
    profiles: Type.Optional(names('Only in these profiles.', 'profile name')),
    tools: Type.Optional(names('Tools that the skill uses, shown as a `Tools:` line.', 'tool name'))
  },
  { ...closed, expects: 'an object with name and description' }
)

export const RootDefinition = Type.Object(
  {
    namePrefix: Type.Optional(
      Type.String({
        description: 'Put before every generated tool name.',
        pattern: '^[a-z0-9_]*$',
        example: 'shop_',
        expects: 'lower-case letters, digits and underscores'
      })
    ),
    profiles: Type.Optional(
      Type.Record(Type.String(), ProfileDefinition, {
        description: 'The profiles of the document. The first one is the default.',
        minProperties: 1,
        expects: 'a map with at least one profile'
      })
    ),
    skills: Type.Optional(
      Type.Array(SkillDefinition, {
        description: 'Texts for the instructions, in order, also served as skill resources.',
        expects: 'a list of skills'
      })
    )
  },
  { ...closed, expects: 'an object' }
)

export const TagDefinition = Type.Object(
  {
    profiles: Type.Optional(profileChoice('Profiles of operations that carry this tag and name none of their own.')),
    skill: Type.Optional(
      localized('A section of the instructions, shown when an operation of the set carries the tag.')
    )
  },
  { ...closed, expects: 'an object' }
)

export const ParameterDefinition = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        description: 'The name that the tool shows for this parameter.',
        pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$',
        example: 'page_size',
        expects: 'letters, digits and underscores, not starting with a digit'
      })
    ),
    description: Type.Optional(localized('Replaces the inherited description.')),
    exclude: Type.Optional(flag('Leave the parameter out of the input schema and of requests.')),
    default: Type.Optional(Type.Unknown({ description: 'Filled in when the caller gives no value.' })),
    maximum: Type.Optional(Type.Number({ description: 'Largest value.', expects: 'a number' })),
    enum: Type.Optional(
      Type.Array(Type.Unknown(), {
        description: 'The values that are accepted.',
        minItems: 1,
        expects: 'a list of at least one value'
      })
    ),
    required: Type.Optional(flag('Make the parameter required.'))
  },
  { ...closed, expects: 'an object' }
)

export const PropertyDefinition = Type.Object(
  {
    hint: Type.Optional(localized('A note shown beside the field.')),
    exclude: Type.Optional(flag('Leave the property out of everything that is shown, at every depth.'))
  },
  { ...closed, expects: 'an object with hint and exclude' }
)

const ResponseDefinition = Type.Object(
  {
    rows: Type.Optional(
      Type.String({
        description: 'Pointer with one segment to the array of row objects, shown as a table.',
        pattern: '^/[^/]+$',
        example: '/results',
        expects: 'a pointer with one segment'
      })
    ),
    concise: Type.Optional(names('Fields of the concise answer.', 'field name')),
    detailed: Type.Optional(
      Type.Union(
        [
          Type.Array(Type.String({ expects: 'a field name' }), { expects: 'a list of field names' }),
          Type.Literal(true)
        ],
        {
          description: 'Fields of the detailed answer, or true for all. With `concise` it generates `response_format`.',
          expects: 'true, or a list of field names'
        }
      )
    ),
    selectParam: Type.Optional(
      Type.String({
        description: 'The projection parameter of the API. It generates `fields`.',
        expects: 'the name of a parameter'
      })
    ),
    hints: Type.Optional(flag('Show `meta.hints` of the response.'))
  },
  { ...closed, description: 'Projection and rendering of the response.', expects: 'an object' }
)

const AnnotationsDefinition = Type.Object(
  {
    readOnlyHint: Type.Optional(flag('The tool changes nothing. Default for GET and HEAD.')),
    destructiveHint: Type.Optional(flag('The tool may destroy something. Default for DELETE.')),
    idempotentHint: Type.Optional(flag('Repeating the call has no further effect.')),
    openWorldHint: Type.Optional(flag('The tool reaches beyond the service.'))
  },
  { ...closed, description: 'MCP hints.', expects: 'an object of hints' }
)

const EditorDefinition = Type.Object(
  {
    schemaOperation: Type.Optional(
      Type.String({
        description: 'operationId of the operation that returns the JSON Schema of the form.',
        expects: 'an operationId'
      })
    ),
    schemaParams: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Values sent to `schemaOperation`.',
        expects: 'a map of parameter values'
      })
    ),
    readOperation: Type.Optional(
      Type.String({
        description: 'operationId of the operation that reads the document to edit.',
        expects: 'an operationId'
      })
    )
  },
  { ...closed, expects: 'true, or an object with schemaOperation, schemaParams and readOperation' }
)

export const OperationDefinition = Type.Object(
  {
    profiles: Type.Optional(
      profileChoice(
        'The profiles that have this tool. Default: those of the first tag that has some, else every profile.'
      )
    ),
    name: Type.Optional(
      Type.String({
        description: 'Tool name. Default: the operationId in snake_case.',
        pattern: '^[a-z0-9_]+$',
        example: 'list_pets',
        expects: 'lower-case letters, digits and underscores'
      })
    ),
    title: Type.Optional(localized('Title of the tool.')),
    description: Type.Optional(localized('What the tool does. Default: summary, then description, then operationId.')),
    examples: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown(), { expects: 'an object of arguments' }), {
        description: 'Example arguments.',
        expects: 'a list of objects'
      })
    ),
    annotations: Type.Optional(AnnotationsDefinition),
    params: Type.Optional(
      Type.Record(Type.String(), ParameterDefinition, {
        description: 'Overrides by the API name of the parameter.',
        expects: 'a map from parameter names to overrides'
      })
    ),
    fixed: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Values sent on every call and never shown.',
        expects: 'a map of parameter values'
      })
    ),
    body: Type.Optional(
      Type.Union([Type.Literal('flat'), Type.Literal('compact')], {
        description:
          '`flat` merges the properties of the JSON body into the arguments; `compact` shows one `body` argument with a listing.',
        expects: '"flat" or "compact"'
      })
    ),
    bodyFields: Type.Optional(
      Type.Array(Type.String({ expects: 'a property name' }), {
        description: 'The properties of the JSON body that the tool may send, in this order.',
        minItems: 1,
        uniqueItems: true,
        expects: 'a list of different property names'
      })
    ),
    response: Type.Optional(ResponseDefinition),
    editor: Type.Optional(
      Type.Union([Type.Literal(true), EditorDefinition], {
        description: 'Form tools instead of one tool.',
        expects: 'true, or an object with schemaOperation, schemaParams and readOperation'
      })
    )
  },
  { ...closed, expects: 'an object' }
)

export type RootAnnotation = Static<typeof RootDefinition>
export type ProfileAnnotation = Static<typeof ProfileDefinition>
export type SkillAnnotation = Static<typeof SkillDefinition>
export type TagAnnotation = Static<typeof TagDefinition>
export type OperationAnnotation = Static<typeof OperationDefinition>
export type ParameterAnnotation = Static<typeof ParameterDefinition>
export type PropertyAnnotation = Static<typeof PropertyDefinition>
export type ResponseAnnotation = Static<typeof ResponseDefinition>

/** A document that lists the documents to serve together. Its profiles and skills are written as those of a root. */
export const IndexDefinition = Type.Object(
  {
    version: Type.Literal(1, { description: 'Version of this form.', expects: '1' }),
    services: Type.Array(
      Type.Object(
        {
          id: Type.String({
            description: 'Names the service in the addresses of its skills.',
            pattern: '^[a-z0-9-]+$',
            example: 'shop',
            expects: 'lower-case letters, digits and hyphens'
          }),
          openapi: Type.String({ description: 'Address of its OpenAPI document.', expects: 'an address' })
        },
        { ...closed, expects: 'an object with id and openapi' }
      ),
      { description: 'The documents, in order.', minItems: 1, expects: 'a list of at least one service' }
    ),
    profiles: RootDefinition.properties.profiles,
    skills: RootDefinition.properties.skills
  },
  { ...closed, expects: 'an object with version and services' }
)

/** The places where `x-agent` may stand (x-agent vocabulary, "Where `x-agent` goes"). */
export const definitions = {
  root: RootDefinition,
  tag: TagDefinition,
  operation: OperationDefinition,
  parameter: ParameterDefinition,
  property: PropertyDefinition
} as const

export type Scope = keyof typeof definitions

/** The published JSON Schema (2020-12) of a scope. */
export function vocabularySchema(scope: Scope): Record<string, unknown> {
  const plain = JSON.parse(JSON.stringify(definitions[scope]), (key, value: unknown) =>
    key === 'expects' || key === 'example' ? undefined : value
  ) as Record<string, unknown>
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `x-agent at ${placeOf(scope)}`,
    ...plain
  }
  if (scope !== 'operation') return schema
  return {
    $schema: schema.$schema,
    title: schema.title,
    oneOf: [plain, { type: 'array', minItems: 1, items: { ...plain, required: ['name'] } }]
  }
}

/** Where a scope stands, in words. */
export function placeOf(scope: Scope): string {
  return {
    root: 'the root of the document',
    tag: 'a tag',
    operation: 'an operation',
    parameter: 'a parameter',
    property: 'a schema property'
  }[scope]
}
