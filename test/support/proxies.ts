import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findFreePort } from './find-free-port.ts'

export type Proxy = AsyncDisposable & { readonly url: string }

/**
 * Ends a body in order that its server has broken off, as Caddy does before 2.7.6. With `below`, it takes only what is
 * below that path, and passes it on without the path, as many do, or with it.
 */
export async function openEndingProxy(to: string, below = '', keepsPath = false): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming
    if (!url.startsWith(`${below}/`)) return void outgoing.writeHead(404).end()
    const upstream = request(
      new URL(keepsPath ? url : url.slice(below.length), to),
      { method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on('data', (bytes) => outgoing.write(bytes))
        answer.on('error', () => outgoing.end())
        answer.on('end', () => outgoing.end())
      },
    )
    upstream.on('error', () => outgoing.end())
    incoming.pipe(upstream)
    return void outgoing.on('close', () => upstream.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const PROGRAMS = {
  nginx: (port: number, to: readonly string[], folder: string) => ({
    args: ['-c', join(folder, 'config'), '-p', folder, '-e', join(folder, 'errors')],
    config: `daemon off; worker_processes 1; pid ${folder}/pid;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  upstream servers { ${to.map((url) => `server ${new URL(url).host} max_fails=0;`).join(' ')} }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://servers; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
      proxy_buffering off; proxy_read_timeout 1h;
    }
  }
}`,
  }),
  caddy: (port: number, to: readonly string[], folder: string) => ({
    args: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'config')],
    config: `{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
  reverse_proxy ${to.join(' ')} {
    flush_interval -1
  }
}`,
  }),
}

export type ProxyName = keyof typeof PROGRAMS

/** Whether this machine has the program. */
export function hasProxy(name: ProxyName): boolean {
  try {
    execFileSync('which', [name], { stdio: 'ignore', env: { PATH: `${process.env['PATH']}:/usr/sbin` } })
    return true
  } catch {
    return false
  }
}

/** The first Caddy that breaks off an answer which its server has broken off. Earlier ones end it in order. */
const OLDEST_CADDY = [2, 7, 6] as const

/** Whether the installed Caddy shows its clients that an answer is broken off. */
export function isCaddyNew(): boolean {
  const text = execFileSync('caddy', ['version'], { encoding: 'utf8' })
  const version = /(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? []
  const first = OLDEST_CADDY.findIndex((part, at) => part !== version[at])
  return first < 0 || (version[first] ?? 0) > (OLDEST_CADDY[first] ?? 0)
}

/** The program itself, as its pages tell owners to set it up, in front of servers. */
export async function openProxy(name: ProxyName, ...to: readonly string[]): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-proxy-'))
  const port = await findFreePort()
  const { args, config } = PROGRAMS[name](port, to, folder)
  await writeFile(join(folder, 'config'), config)
  const env = { PATH: `${process.env['PATH']}:/usr/sbin`, HOME: folder }
  const child = spawn(name, args, { stdio: 'ignore', env })
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/health`).catch(() => undefined)));
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'close')
      // A killed nginx would leave its workers.
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
