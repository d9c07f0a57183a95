import { ServiceError } from '../errors.ts'
import type { ToolModel } from './tool-model.ts'

const missing = (): Promise<never> =>
  Promise.reject(new ServiceError('model-missing', 'This needs a model, and none is configured.'))

/** The model that tools get if none is configured. For tests. */
export const noModel: ToolModel = { name: () => 'offline', text: missing, object: missing }
