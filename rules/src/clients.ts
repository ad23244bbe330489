/**
 * What clients and model APIs accept, as of `checked`. One entry a limit, with where the number comes from. Vendors change them without
 * notice, and what is not read in source code is second-hand: correct a number here, and every rule, page and message follows.
 */
export const checked = '2026-12-01'

/** What a client does with a tool beyond a limit: it refuses the whole request, leaves the tool out, or changes it silently. */
export type Effect = 'refuses' | 'drops' | 'alters'

export interface Limit<T> {
  value: T
  effect: Effect
  source: string
}

export interface Client {
  title: string
  /** What the whole tool name must look like. */
  toolName?: Limit<string>
  /** Longest tool name in characters, with what `serverName` adds. */
  toolNameLength?: Limit<number>
  /** What the name of the server adds to a tool name: `{server}` stands for it. */
  serverName?: string
  /** What every property name must look like, at every depth. */
  propertyName?: Limit<string>
  /** Keywords that may not stand at the root of an input schema. */
  rootKeywords?: Limit<readonly string[]>
  /** Keywords that may stand nowhere in an input schema. */
  keywords?: Limit<readonly string[]>
  /** Every object says `additionalProperties: false` and requires all of its properties. */
  closedObjects?: Limit<true>
  /** Most optional properties of a tool. */
  optionalProperties?: Limit<number>
  /** Most properties of several types (`anyOf`, lists of types) in a tool. */
  unions?: Limit<number>
  /** Deepest nesting of objects and arrays. */
  depth?: Limit<number>
  /** Most properties of a tool, at all depths. */
  properties?: Limit<number>
  /** Most values of all enums of a tool. */
  enumValues?: Limit<number>
  /** Most characters of a tool description. */
  descriptionLength?: Limit<number>
  /** Most characters of the instructions of a server. */
  instructionsLength?: Limit<number>
  /** Most tools. */
  tools?: Limit<number>
}

const anthropic = 'platform.claude.com, implement tool use'
const claudeCode = 'code.claude.com, MCP (v2.1)'
const openaiStrict = 'strictly-structured.codygo.com; jsonschemaprofiles.unitvectorylabs.com'
const vertex = 'cloud.google.com, Vertex AI FunctionDeclaration'
const vscodeSource = 'vscode-copilot-chat 31acd00, toolSchemaNormalizer.ts and virtualToolsConstants.ts'

const claudeNames = {
  toolName: { value: '^[a-zA-Z0-9_-]+$', effect: 'refuses', source: anthropic },
  toolNameLength: { value: 64, effect: 'refuses', source: anthropic },
  propertyName: { value: '^[a-zA-Z0-9_.-]{1,64}$', effect: 'refuses', source: anthropic },
  rootKeywords: { value: ['oneOf', 'anyOf', 'allOf'], effect: 'refuses', source: anthropic }
} as const satisfies Partial<Client>

const openaiNames = {
  toolName: { value: '^[a-zA-Z0-9_-]+$', effect: 'refuses', source: openaiStrict },
  toolNameLength: { value: 64, effect: 'refuses', source: openaiStrict }
} as const satisfies Partial<Client>

export const clients = {
  claude: { title: 'Claude API', ...claudeNames },
  'claude-strict': {
    title: 'Claude API, strict tools',
    ...claudeNames,
    optionalProperties: { value: 24, effect: 'refuses', source: 'docs.dottxt.ai, providers comparison' },
    unions: { value: 16, effect: 'refuses', source: 'docs.dottxt.ai, providers comparison' },
    keywords: {
      value: [
        'minimum',
        'maximum',
        'exclusiveMinimum',
        'exclusiveMaximum',
        'multipleOf',
        'minLength',
        'maxLength',
        'maxItems'
      ],
      effect: 'refuses',
      source: 'docs.dottxt.ai, providers comparison'
    },
    tools: { value: 20, effect: 'refuses', source: 'unconfirmed reports' }
  },
  'claude-code': {
    title: 'Claude Code',
    ...claudeNames,
    serverName: 'mcp__{server}__',
    descriptionLength: { value: 2048, effect: 'alters', source: claudeCode },
    instructionsLength: { value: 2048, effect: 'alters', source: claudeCode }
  },
  openai: {
    title: 'OpenAI functions',
    ...openaiNames,
    tools: { value: 128, effect: 'refuses', source: 'caps seen in proxies' }
  },
  'openai-strict': {
    title: 'OpenAI functions, strict',
    ...openaiNames,
    rootKeywords: { value: ['anyOf'], effect: 'refuses', source: openaiStrict },
    keywords: {
      value: ['allOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'oneOf'],
      effect: 'refuses',
      source: openaiStrict
    },
    closedObjects: { value: true, effect: 'refuses', source: openaiStrict },
    depth: { value: 10, effect: 'refuses', source: openaiStrict },
    properties: { value: 5000, effect: 'refuses', source: openaiStrict },
    enumValues: { value: 1000, effect: 'refuses', source: openaiStrict },
    tools: { value: 128, effect: 'refuses', source: 'caps seen in proxies' }
  },
  gemini: {
    title: 'Gemini and Vertex AI',
    toolName: { value: '^[a-zA-Z_][a-zA-Z0-9_.:-]*$', effect: 'refuses', source: vertex },
    toolNameLength: { value: 64, effect: 'refuses', source: vertex },
    propertyName: { value: '^[a-zA-Z_][a-zA-Z0-9_]{0,63}$', effect: 'refuses', source: vertex }
  },
  cursor: {
    title: 'Cursor',
    toolNameLength: { value: 60, effect: 'drops', source: 'awslabs/mcp#1283, Snowflake-Labs/mcp#77' },
    serverName: '{server}',
    tools: { value: 40, effect: 'drops', source: 'awslabs/mcp#1283; 80 is reported for newer versions' }
  },
  windsurf: {
    title: 'Windsurf',
    tools: { value: 50, effect: 'drops', source: 'Zhwt/go-mcp-mysql#3; 100 is reported, too' }
  },
  vscode: {
    title: 'VS Code',
    rootKeywords: {
      value: ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'],
      effect: 'alters',
      source: vscodeSource
    },
    descriptionLength: { value: 1024, effect: 'alters', source: vscodeSource },
    tools: { value: 128, effect: 'refuses', source: vscodeSource }
  }
} as const satisfies Record<string, Client>

export type ClientId = keyof typeof clients

export const CLIENT_IDS = Object.keys(clients) as ClientId[]

/** The clients that are checked where nobody says otherwise: the two APIs behind most of the others. */
export const DEFAULT_CLIENTS: readonly ClientId[] = ['claude', 'openai']

/** A client by id, with every limit optional. */
export function clientOf(id: ClientId): Client {
  return clients[id]
}
