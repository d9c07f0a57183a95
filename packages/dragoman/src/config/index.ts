export { needsToken, readConfig, type AgentSettings, type Config } from './config.ts'
export { readLimits, type Limits } from './limits.ts'
export { flagFields, shapeOf } from './settings.ts'
export { explainConfig, type ConfigValue } from './explain-config.ts'
