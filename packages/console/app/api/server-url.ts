const ASSETS = '/console/assets/'
const { pathname } = new URL(import.meta.url)

/**
 * The path below which a proxy passes requests on to this server: `/ai`, or nothing at the root of a host. The page's
 * own files are found there, so their address tells.
 */
export const basePath = pathname.slice(0, Math.max(0, pathname.lastIndexOf(ASSETS)))

/** The address of a path of the server, in requests and links. An address of another kind stays as it is. */
export function serverUrl(address: string): string {
  return address.startsWith('/') && !address.startsWith('//') ? basePath + address : address
}
