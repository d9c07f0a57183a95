import { openServer } from '../apps/server/src/main.ts'

/** A dragoman, spoken to over HTTP as any client does. */
export type Server = {
  readonly url: string
  readonly get: <Answer>(path: string) => Promise<Answer>
  readonly send: <Answer>(method: string, path: string, body?: object) => Promise<Answer>
}

type Variables = Readonly<Record<string, string>>

/** Opens dragoman on a home and a free port, and closes it after `act`. `flags` win over the user's configuration. */
export async function withServer<Result>(
  home: string,
  { env = {}, flags = [] }: { readonly env?: Variables; readonly flags?: readonly string[] },
  use: (server: Server) => Promise<Result>,
): Promise<Result> {
  const own = ['--host', '127.0.0.1', '--port', '0', '--home', home, '--log-level', 'warn']
  const pace = { DRAGOMAN_OFFLINE_PACE: '60' }
  const args = [...own, ...process.argv.slice(2), ...flags]
  const dragoman = await openServer(args, { ...pace, ...process.env, ...env })
  try {
    return await use(serverAt(await dragoman.listen()))
  } finally {
    await dragoman.close()
  }
}

function serverAt(url: string): Server {
  const send = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const isForm = body instanceof FormData
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      ...(body && !isForm && { headers: { 'content-type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Answer
  }
  return { url, get: (path) => send('GET', path), send }
}
