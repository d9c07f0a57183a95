import { MIN_NODE_VERSION } from 'dragoman/server'
import { ok, problem, type Finding } from './finding.ts'

export async function checkNode(): Promise<Finding[]> {
  const { node: version } = process.versions
  const isOld = version.localeCompare(MIN_NODE_VERSION, undefined, { numeric: true }) < 0
  return [
    isOld ? problem(`Node ${version} is too old. Use ${MIN_NODE_VERSION} or newer.`) : ok(`Node ${version}`),
  ]
}
