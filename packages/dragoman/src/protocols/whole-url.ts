import { fileIdOf } from '../events/index.ts'

/**
 * The address of a file for a client that refuses a mere path. `origin`: where the client reaches the server, with the
 * path below which it is.
 */
export function toWholeUrl(url: string, origin = 'http://localhost'): string {
  return fileIdOf(url) === undefined ? url : origin + url
}
