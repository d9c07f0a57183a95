import { isIP } from 'node:net'

import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** Origins that `URL` does not parse: of extensions, shells, files, pages without one, and any port of this machine. */
const OTHER_ORIGINS = new RegExp(
  String.raw`^(?:(?:chrome|moz|safari-web)-extension://[a-z\d-]+|file://|null|http://(?:localhost|127\.0\.0\.1):\*|` +
    String.raw`(?:app|tauri|capacitor|ionic|electron|vscode-webview)://[a-z\d.-]+)$`,
)

/** As the setting is compared, or an issue. */
export function toOrigin(text: string, context: z.RefinementCtx): string {
  const name = text.toLowerCase().replace(/(?<=[^/])\/$/, '')
  if (OTHER_ORIGINS.test(name)) return name
  const url = URL.parse(text)
  if (url && url.origin !== 'null' && !url.hostname.includes('*') && text.replace(/\/$/, '') === url.origin)
    return url.origin
  context.addIssue('must be an origin like https://app.example, chrome-extension://ID or http://localhost:*')
  return z.NEVER
}

/** The path below which a server is, without its last slash, or an issue. */
export function toBasePath(text: string, context: z.RefinementCtx): string {
  const path = text.replace(/\/$/, '')
  if (path === '' || /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/.test(path)) return path
  context.addIssue('must be a path like /api/agents')
  return z.NEVER
}

/** As the setting is compared, or an issue. */
export function toHost(text: string, context: z.RefinementCtx): string {
  const name = text.toLowerCase()
  if (/^(\[[\da-f:.]+\]|[a-z\d]([a-z\d.-]*[a-z\d])?)$/.test(name)) return name
  context.addIssue('must be a host name like chat.example, without a port')
  return z.NEVER
}

/** As the setting is compared, or an issue. One that matches no host would be taken for one that does. */
export function toPrivateHost(text: string, context: z.RefinementCtx): string {
  const name = text.trim().toLowerCase()
  if (/^(?:\[[\da-f:.]+\]|[\da-f]*:[\da-f:.]+|[\w-]+(?:\.[\w-]+)*\.?)(?::\d{1,5})?$/.test(name)) return name
  context.addIssue('must be a host like mail.home.lan or 10.0.0.5:8080, not a pattern or a network')
  return z.NEVER
}

/** As the setting is compared, or an issue. */
export function toNetwork(text: string, context: z.RefinementCtx): string {
  if (isIP(text) !== 0 || ipaddr.isValidCIDR(text)) return text
  context.addIssue('must be an address or a network like 10.0.0.1 or 172.16.0.0/12')
  return z.NEVER
}
