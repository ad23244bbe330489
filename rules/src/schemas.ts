import type { Node, Workspace } from '@openapi-mcp/core'

/** The schema at a node, references followed; undefined where one leads nowhere, which is said elsewhere. */
export function followed(node: Node, workspace: Workspace): Node | undefined {
  const resolved = workspace.follow(node)
  return 'node' in resolved ? resolved.node : undefined
}
