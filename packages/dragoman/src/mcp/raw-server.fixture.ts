/**
 * What a program answers: code that makes the result of `tools/list` and of `tools/call` of the request `m`. Where it
 * is undefined, the code has written an answer itself.
 */
type RawServer = {
  readonly list?: string
  readonly call?: string
  readonly before?: string
  readonly initialize?: string
  /** What it does where it is asked for its version. */
  readonly discover?: string
}

/** The `command` and `args` of a program that speaks the protocol without a library, so that it may break it. */
export function rawServer({ list, call, before = '', initialize = '{}', discover = '({})' }: RawServer) {
  const program = `
    import { createInterface } from 'node:readline'
    const write = (o) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...o }) + '\\n')
    const base = { inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
    const tool = (name, more = {}) => ({ name, ...base, ...more })
    let count = 0
    ${before}
    const answer = (m) => {
      if (m.method === 'initialize') return { protocolVersion: m.params.protocolVersion,
        capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'raw', version: '1' }, ...${initialize} }
      if (m.method === 'server/discover') return ${discover}
      if (m.method === 'tools/list') return ${list ?? '{ tools: [] }'}
      if (m.method === 'tools/call') return ${call ?? '{ content: [] }'}
      return {}
    }
    createInterface({ input: process.stdin }).on('line', (line) => {
      const m = JSON.parse(line)
      if (m.id === undefined) return
      const result = answer(m)
      if (result === undefined) return
      write(result.error ? { id: m.id, error: result.error } : { id: m.id, result })
    })`
  return { command: process.execPath, args: ['--input-type=module', '--eval', program] }
}
