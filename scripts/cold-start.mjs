// Engines and models are loaded at first use, so that the built server is ready at once.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runServer } from './run-server.mjs'

const MAX_MS = 800
/** On a slow machine the limit is this multiple of the time that Node itself takes to start. */
const MAX_TIMES_NODE = 30
const MAX_STARTS = 20

function best(times) {
  return Math.min(...times.slice(1))
}

function limit(bare) {
  return Math.max(MAX_MS, Math.round(Math.min(...bare) * MAX_TIMES_NODE))
}

export async function checkColdStart(node, bin) {
  const home = mkdtempSync(join(tmpdir(), 'dragoman-cold-'))
  try {
    const times = []
    const bare = []
    // The first start fills the compile cache. The best of the others counts; a busy machine needs more of them.
    for (let start = 0; start < 6 || (start < MAX_STARTS && best(times) > limit(bare)); start++) {
      const args = [bin, '--port', '0', '--home', home]
      const { readyMs } = await runServer(node, args, {}, { readyWithinMs: 30_000, use: async () => {} })
      times.push(readyMs)
      const began = performance.now()
      execFileSync(node, ['--eval', ''])
      bare.push(performance.now() - began)
    }
    const [ready, most] = [best(times), limit(bare)]
    assert.ok(ready <= most, `from start to ready ${ready} ms, more than ${most}`)
    process.stdout.write(`ready after ${ready} ms\n`)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
