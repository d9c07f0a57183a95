/**
 * MCP servers, by name. The name is a letter and at most 31 letters, digits, `-` and `_`; the model calls their tools
 * `<server>_<tool>`.
 *
 * @example
 * const mcp: McpServers = {
 *   files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv/files'] },
 *   notes: { url: 'https://notes.example/mcp', headers: { Authorization: `Bearer ${process.env['NOTES_TOKEN']}` } },
 * }
 */
export type McpServers = { readonly [name: string]: McpServer }

/**
 * A program of this machine (stdio), or an address (streamable HTTP).
 *
 * @example
 * const notes: McpServer = { url: 'https://notes.example/mcp', tools: ['search', 'add'], approval: 'writes', timeout: 60 }
 */
export type McpServer = McpServerOptions &
  (
    | {
        readonly command: string
        readonly args?: readonly string[]
        /** Variables of the program. It gets none of the server's keys. */
        readonly env?: Readonly<Record<string, string>>
        /** The folder that it runs in: an absolute path. */
        readonly cwd?: string
      }
    | {
        readonly url: string
        readonly headers?: Readonly<Record<string, string>>
        /** For users who sign in, where the authorization server registers no clients: one that you have registered. */
        readonly oauth?: {
          readonly clientId: string
          readonly clientSecret?: string
          /** The rights to ask for, where the server names none. */
          readonly scope?: string
        }
      }
  )

type McpServerOptions = {
  /** Which tools ask the user first. `writes`, the default: all without `readOnlyHint`. */
  readonly approval?: 'never' | 'always' | 'writes'
  /** The tools to use, by the server's names. Without it, all. */
  readonly tools?: readonly string[]
  /** Seconds of one call: 30 by default, at most 3600. */
  readonly timeout?: number
  /** Seconds for which the list of tools is valid: 300 by default. */
  readonly cache?: number
  /** Users whose runs may use it, by id. Without it, all. */
  readonly users?: readonly string[]
}
