/** What the core needs from outside. Node's is `nodeHost`; a browser worker brings its own. */
export interface Host {
  /** Bytes or text of a `file:` (or editor scheme) URI. Rejects where it cannot be read. */
  readFile(uri: string): Promise<Uint8Array | string>
  /** The URI with symbolic links followed. Without it, URIs are taken as they are. */
  realUri?(uri: string): Promise<string>
  /** For `http:` and `https:` documents, and the default for tool calls. */
  fetch?: typeof fetch
  log?(level: 'debug' | 'info' | 'warn' | 'error', message: string): void
}
