import { ServiceError } from '../../errors.ts'
import { isGuest } from '../../events/index.ts'

/** @throws ServiceError `forbidden` for a guest, whose runs the owner pays; `invalid-request` for an unknown model */
export function requireModel(
  model: string,
  { userId, mustReach }: { readonly userId: string; readonly mustReach: (model: string) => void },
): void {
  if (isGuest(userId)) throw new ServiceError('forbidden', 'model: guests cannot choose a model.')
  mustReach(model)
}
