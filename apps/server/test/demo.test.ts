import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { run } from '../../../test/support/process.ts'
import { isFull } from '../../../test/support/is-full.ts'

const DEMO = join(import.meta.dirname, '../../../demo/demo.ts')

it.runIf(isFull)('runs the whole demo, exits, and leaves no process', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  try {
    const env = { DRAGOMAN_OFFLINE_PACE: '0', TMPDIR: folder, HOME: folder }

    const { code, stdout, stderr } = await run([], env, ':', DEMO).ended

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    // What no model could have brought about: our own checks, and files that can be read again.
    expect(stdout).toContain('quotes that stand nowhere, dropped: 1')
    expect(stdout).toContain('red flag: The posting holds instructions to a program')
    expect(stdout).toContain('changed_number: “5”')
    expect(stdout).toContain('read again: “林岚”')
    expect(stdout).toMatch(/Exit code 1[^]*\+ {2}return amounts.*total \+ each[^]*Exit code 0[^]*1 passed/)
    expect(stdout).toMatch(
      /"pendingToolCallIds"[^]*puts “milk” on its list[^]*puts “茶叶” on its list[^]*\{"items":2\}/,
    )
    expect(stdout).toMatch(
      /need_info, collect_form[^]*庚午、辛巳、庚辰、癸未[^]*Forgotten for good[^]*\/life\/memories: 0/,
    )
    const [kept = '', ...others] = await readdir(folder)
    expect(others).toEqual([])
    expect((await readdir(join(folder, kept))).toSorted()).toEqual([
      'Mara Lindqvist - Northwind Robotics.docx',
      'Mara Lindqvist - Northwind Robotics.pdf',
      '林岚 - 青禾网络.pdf',
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})
