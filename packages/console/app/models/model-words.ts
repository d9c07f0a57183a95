import type { Agent } from '../api/types.ts'
import type { Translate } from '../i18n/translate.tsx'

/** The name of the model of an agent that no model can answer for. */
export const NO_MODEL = 'none'

/** Which model answers. */
export function modelWords({ name }: Agent['model'], t: Translate): string {
  return name === NO_MODEL ? t('model.none') : t('model.answers', { name })
}
