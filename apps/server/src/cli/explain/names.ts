import { nodeOf, type RunClaim } from 'dragoman/stores'
import { printableLine } from '../printable.ts'

/** More than that is no name of a model or tool. */
const MAX_NAME = 100

export function nodeName(claim: RunClaim | undefined): string {
  return claim ? `Node ${nodeOf(claim.owner)}` : 'A node'
}

/** A name that a model or a client may have made up. */
export function shorten(name: string): string {
  return printableLine(name).slice(0, MAX_NAME)
}
