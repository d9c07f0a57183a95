import { registerHooks } from 'node:module'

/** The modules that this process has loaded after this one, by their URLs. */
export const loaded: string[] = []
registerHooks({
  load(url, context, nextLoad) {
    loaded.push(url)
    return nextLoad(url, context)
  },
})
