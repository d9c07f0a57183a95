export type { Cluster, ClusterNode, NodeHealth, UseCount } from './cluster.ts'
export { enforceRateLimit, type RateLimit } from './rate-limit.ts'
export { singleNode } from './single-node.ts'
