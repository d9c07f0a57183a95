import { oldestNode } from 'dragoman/server'
import { well, wrong, type Finding } from './finding.ts'

export async function node(): Promise<Finding[]> {
  const { node: version } = process.versions
  const isOld = version.localeCompare(oldestNode, undefined, { numeric: true }) < 0
  return [
    isOld ? wrong(`Node ${version} is too old: it must be ${oldestNode} or newer.`) : well(`Node ${version}`),
  ]
}
