import { oldestNode } from 'dragoman/server'
import { ok, problem, type Finding } from './finding.ts'

export async function checkNode(): Promise<Finding[]> {
  const { node: version } = process.versions
  const isOld = version.localeCompare(oldestNode, undefined, { numeric: true }) < 0
  return [isOld ? problem(`Node ${version} is too old. Use ${oldestNode} or newer.`) : ok(`Node ${version}`)]
}
