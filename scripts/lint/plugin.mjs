import { noLateAwait } from './no-late-await.mjs'

/** Lint rules of this repository, for oxlint's `jsPlugins`. */
const plugin = { meta: { name: 'dragoman' }, rules: { 'no-late-await': noLateAwait } }

export default plugin
