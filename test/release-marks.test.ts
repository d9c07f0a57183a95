import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const IS_OF_NPM =
  /npm create dragoman|npx (?:@dragoman|dragoman)|npm install [^`\n]*(?:@dragoman|\bdragoman)\b/

/** npm has no package of ours before the first release. Then this file is deleted, and the marks with it. */
it('says where a command needs a package that npm does not have yet', () => {
  const pages = globSync(
    ['README.md', 'examples/*/README.md', 'docs/{guide,reference,agents,operate,zh}/**/*.md'],
    {
      cwd: ROOT,
    },
  )
  const texts = pages.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const)
  const named = texts.filter(([, text]) => IS_OF_NPM.test(text))

  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(([, text]) => !/first\s+release|首次发布/.test(text)).map(([file]) => file)).toEqual([])
})
