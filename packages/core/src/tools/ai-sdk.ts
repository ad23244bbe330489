import type { CallContext, JsonSchema, ToolSet } from './types.js'

/** A tool in the shape of the Vercel AI SDK. `inputSchema` is what its `jsonSchema()` helper makes, without the dependency. */
export interface AiSdkTool {
  description: string
  inputSchema: { jsonSchema: JsonSchema; [schemaSymbol]: true; validate: undefined }
  execute(params: Record<string, unknown>, options?: { abortSignal?: AbortSignal }): Promise<string>
}

// The SDK recognises its schemas by this registered symbol.
const schemaSymbol: unique symbol = Symbol.for('vercel.ai.schema') as never

/**
 * The tools of a set for the Vercel AI SDK, by name. A call answers with the text for the model; errors are texts as well, since the
 * model is who can correct them. `context` is added to every call.
 */
export function toAiSdkTools(toolSet: ToolSet, context: CallContext = {}): Record<string, AiSdkTool> {
  return Object.fromEntries(
    toolSet.tools.map((tool) => [
      tool.name,
      {
        description: tool.description,
        inputSchema: { jsonSchema: tool.inputSchema, [schemaSymbol]: true as const, validate: undefined },
        execute: async (params: Record<string, unknown>, options: { abortSignal?: AbortSignal } = {}) => {
          const signal = options.abortSignal ?? context.signal
          return (await tool.execute(params, { ...context, ...(signal && { signal }) })).text
        }
      }
    ])
  )
}
