import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { failure, fileTools } from './files.fixture.ts'
import { replaceText } from './replace-text.ts'

const edit = (path: string, old: string, now: string) => ({ path, old_string: old, new_string: now })

describe('edit_file', () => {
  it('replaces the only occurrence in an unread file and shows the difference', async () => {
    const { call, root } = await fileTools({ 'a.ts': 'const a = 1\nconst b = 2\n' })

    const { text, output } = await call('edit_file', edit('a.ts', 'b = 2', 'b = 3'))

    expect(text).toBe(
      'Changed a.ts (24 bytes): +1 −1 lines\n--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n const a = 1\n-const ' +
        'b = 2\n+const b = 3\n',
    )
    expect(output).toMatchObject({ path: 'a.ts', created: false, added: 1, removed: 1 })
    expect(await readFile(join(root, 'a.ts'), 'utf8')).toBe('const a = 1\nconst b = 3\n')
  })

  it('inserts the replacement literally', async () => {
    const { call, root } = await fileTools({ 'a.ts': 'x.y' })

    await call('edit_file', edit('a.ts', '.', '$&$1\\n'))

    expect(await readFile(join(root, 'a.ts'), 'utf8')).toBe('x$&$1\\ny')
  })

  it.each([
    ['its spaces and tabs', 'function f() {\n\treturn  1\n}', 'function f() {\n  return 1\n}', 1],
    ['the spaces at the ends of lines', 'x\na  \nb\n', 'a\nb', 2],
    ['its quotes, dashes or full-width characters', 'x\nsay(“你好”，1)', 'say("你好",1)', 2],
    ['capital and small letters', 'x\ny\nconst Name = 1', 'const name = 1', 3],
    [
      'its words from line 3 on',
      'x\nconst total = sum(a)\nreturn total / 2\n',
      'const total = sum(a)\nreturn total / 3\n',
      2,
    ],
  ])('shows the nearest text if it differs in %s', async (differsIn, content, old, line) => {
    const { call } = await fileTools({ 'a.ts': content })

    const { code, message } = await failure(call('edit_file', edit('a.ts', old, 'new')))

    expect(code).toBe('invalid-input')
    expect(message).toContain(
      `old_string is not in a.ts. Nearest is line ${line}, which differs in ${differsIn}. There ` +
        `stands:\n${content.split('\n')[line - 1]}`,
    )
  })

  it('says that nothing similar exists', async () => {
    const { call } = await fileTools({ 'a.ts': 'const a = 1\n' })

    expect(await failure(call('edit_file', edit('a.ts', '完全不同', 'new')))).toMatchObject({
      message: 'old_string is not in a.ts, nor anything like it. Read the file again.',
    })
  })

  it('lists the lines if there are several occurrences', async () => {
    const { call, root } = await fileTools({ 'a.ts': 'a\nb\na\nab\n' })

    expect(await failure(call('edit_file', edit('a.ts', 'a', 'x')))).toMatchObject({
      code: 'invalid-input',
      message:
        'old_string is in a.ts 3 times, at lines 1, 3, 4. Add lines around it, so that it is there only once, ' +
        'or set replace_all to true.',
    })
    expect(await readFile(join(root, 'a.ts'), 'utf8')).toBe('a\nb\na\nab\n')
  })

  it('replaces all occurrences if it is told to', async () => {
    const { call, root } = await fileTools({ 'a.ts': 'aa\r\nb\r\naa\r\n', 'b.ts': 'aaaa' })

    await call('edit_file', { ...edit('a.ts', 'aa\n', 'x\ny\n'), replace_all: true })
    await call('edit_file', { ...edit('b.ts', 'aa', 'b'), replace_all: true })

    expect(await readFile(join(root, 'a.ts'), 'utf8')).toBe('x\r\ny\r\nb\r\nx\r\ny\r\n')
    expect(await readFile(join(root, 'b.ts'), 'utf8')).toBe('bb')
  })

  it('refuses a file that changed since it was read', async () => {
    const { call, root } = await fileTools({ 'a.ts': 'one\n' })
    await call('read_file', { path: 'a.ts' })
    await writeFile(join(root, 'a.ts'), 'one, by its owner\n')

    expect(await failure(call('edit_file', edit('a.ts', 'one', 'two')))).toMatchObject({ code: 'conflict' })
  })

  it('edits repeatedly without counting as a read', async () => {
    const { call } = await fileTools({ 'a.ts': 'one\n' })
    await call('edit_file', edit('a.ts', 'one', 'two'))
    await call('edit_file', edit('a.ts', 'two', 'three'))

    expect(await failure(call('write_file', { path: 'a.ts', content: 'x' }))).toMatchObject({
      code: 'conflict',
    })
  })

  it('creates a file if old_string is empty and the file does not exist', async () => {
    const { call, root } = await fileTools({ 'a.ts': '' })

    expect((await call('edit_file', edit('b.ts', '', 'new\n'))).text).toBe('Created b.ts: 1 line, 4 bytes.')
    expect(await readFile(join(root, 'b.ts'), 'utf8')).toBe('new\n')
    expect(await failure(call('edit_file', edit('a.ts', '', 'new\n')))).toMatchObject({
      code: 'invalid-input',
    })
  })

  it('refuses an edit without a change and a missing file', async () => {
    const { call } = await fileTools({ 'a.ts': 'a' })

    expect(await failure(call('edit_file', edit('a.ts', 'a', 'a')))).toMatchObject({ code: 'invalid-input' })
    expect(await failure(call('edit_file', edit('b.ts', 'a', 'b')))).toMatchObject({ code: 'not-found' })
  })

  it('keeps CRLF and BOM', async () => {
    const { call, root } = await fileTools({ 'a.txt': '\ufeffone\r\ntwo\r\nthree\r\n' })

    await call('edit_file', edit('a.txt', 'one\ntwo', 'one\n1.5\ntwo'))

    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('\ufeffone\r\n1.5\r\ntwo\r\nthree\r\n')
  })

  it('refuses a file that would lose bytes', async () => {
    const { call, root } = await fileTools({ 'a.txt': Buffer.from([0x61, 0x62, 0xe4, 0xbd]) })

    expect(await failure(call('edit_file', edit('a.txt', 'a', 'x')))).toMatchObject({
      message: 'a.txt holds bytes that are no text, and that would be lost. Change it by a command.',
    })
    expect(await readFile(join(root, 'a.txt'))).toEqual(Buffer.from([0x61, 0x62, 0xe4, 0xbd]))
  })

  it('keeps every one of many concurrent edits', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `name${at}.`)
    const { call, root } = await fileTools({ 'a.txt': names.join('\n') })

    await Promise.all(names.map((name) => call('edit_file', edit('a.txt', name, name.toUpperCase()))))

    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe(names.join('\n').toUpperCase())
  })
})

describe('replaceText', () => {
  it('changes nothing else, whatever the line endings are', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', 'é'), maxLength: 12 })
    fc.assert(
      fc.property(piece, piece, piece, (before, after, now) => {
        const text = `${before}<old>${after}`
        const done = replaceText(text, { old: '<old>', replacement: now, displayPath: 'a', all: false })
        expect(done.startsWith(before)).toBe(true)
        expect(done.endsWith(after)).toBe(true)
        expect(done.slice(before.length, done.length - after.length).replaceAll('\r\n', '\n')).toBe(
          now.replaceAll('\r\n', '\n'),
        )
      }),
    )
  })
})
