export type { Cluster, ClusterNode, NodeHealth, SharedWork, UseCount } from './cluster.ts'
export { enforceRateLimit, type RateLimit } from './rate-limit.ts'
export { singleNode } from './single-node.ts'
