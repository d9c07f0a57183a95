import { noLateAwait } from './no-late-await.mjs'
import { noSlowNormalize } from './no-slow-normalize.mjs'
import { plainNames } from './plain-names.mjs'
import { plainText } from './plain-text.mjs'

/** Lint rules of this repository, for oxlint's `jsPlugins`. */
const plugin = {
  meta: { name: 'dragoman' },
  rules: {
    'no-late-await': noLateAwait,
    'no-slow-normalize': noSlowNormalize,
    'plain-names': plainNames,
    'plain-text': plainText,
  },
}

export default plugin
