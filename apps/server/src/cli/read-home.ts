import { readConfig } from 'dragoman/config'
import { bundledAgents } from '../main.ts'

/** The home that `--home`, or else its variable, names. */
export function readHome({ home }: { readonly home?: string }): string {
  return readConfig(home === undefined ? [] : ['--home', home], process.env, bundledAgents).home
}
