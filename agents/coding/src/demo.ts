import type { DemoScript } from 'dragoman/agents'

/** A command in backticks, as in "run `npm test`". */
const COMMAND = /(?:run|运行|执行)\s*`([^`]+)`/i
const BLOCK = '````\n{text}\n````'

/** Runs the command that the message names as well. */
const runNext: NonNullable<DemoScript[number]['next']>[number] = {
  call: ({ message }) => (COMMAND.test(message) ? 'execute_command' : undefined),
  input: ({ input }) => ({ command: COMMAND.exec(input)?.[1] ?? '' }),
  say: BLOCK,
}

/** What the demo model does for the coding agent. */
export const demo: DemoScript = [
  {
    example: { en: 'What does this project do?', zh: '这个项目是做什么的？' },
    when: /what does this project do|这个项目是[做干]什么/i,
    call: 'list_directory',
    input: () => ({ path: '.' }),
    say: { en: `The project contains:\n\n${BLOCK}`, zh: `项目里有：\n\n${BLOCK}` },
    next: [
      {
        after: /^README\.md\b/m,
        call: 'read_file',
        input: () => ({ path: 'README.md', limit: 20 }),
        say: { en: `Its README.md begins:\n\n${BLOCK}`, zh: `README.md 的开头：\n\n${BLOCK}` },
      },
    ],
  },
  {
    example: {
      en: 'Create hello.txt with `Hello!` and run `cat hello.txt`',
      zh: '新建 hello.txt，内容是 `你好！`，然后运行 `cat hello.txt`',
    },
    when: {
      en: /^create (?<path>[^\s,]+) with `(?<text>[^`]*)`/i,
      zh: /^(?:新建|创建)\s*(?<path>[^\s，,]+)[，,]?\s*内容[是为]?\s*`(?<text>[^`]*)`/,
    },
    call: 'write_file',
    input: ({ groups = {} }) => ({ path: groups['path'] ?? '', content: `${groups['text'] ?? ''}\n` }),
    say: { en: 'I created the file.', zh: '文件建好了。' },
    next: [runNext],
  },
  {
    example: { en: 'List the files in src', zh: '列出 src 里的文件' },
    when: {
      en: /^list (?:the )?files(?: in (?<path>\S+))?|^what is in this folder/i,
      zh: /^列出\s*(?:(?<path>\S+?)\s*)?(?:里的)?文件|^这里有什么/,
    },
    call: 'list_directory',
    input: ({ groups }) => ({ path: groups?.['path'] || '.' }),
    say: BLOCK,
  },
  {
    example: { en: 'Read README.md', zh: '读一下 README.md' },
    when: /^(?:read|读(?:一下)?)\s*([^\s./]*[./]\S*\w)/i,
    call: 'read_file',
    input: ([, path = '']) => ({ path }),
    say: BLOCK,
  },
  {
    example: { en: 'Search for TODO', zh: '搜索 TODO' },
    when: /^(?:search for|搜索)\s*(?!\s)(.*[^\s.。?？])/i,
    call: 'search_files',
    input: ([, pattern = '']) => ({ pattern }),
    say: BLOCK,
  },
  {
    example: {
      en: 'Replace `-` with `+` in sum.js and run `node --test`',
      zh: '把 sum.js 里的 `-` 改成 `+`，然后运行 `node --test`',
    },
    when: {
      en: /replace `(?<from>[^`]+)` with `(?<to>[^`]*)` in (?<path>[^\s,]+)/i,
      zh: /把\s*(?<path>[^\s把]+?)\s*里的\s*`(?<from>[^`]+)`\s*[改换]成\s*`(?<to>[^`]*)`/,
    },
    call: 'edit_file',
    input: ({ groups = {} }) => ({
      path: groups['path'] ?? '',
      old_string: groups['from'] ?? '',
      new_string: groups['to'] ?? '',
    }),
    say: { en: `I edited the file:\n\n${BLOCK}`, zh: `文件改好了：\n\n${BLOCK}` },
    next: [runNext],
  },
  {
    example: { en: 'Run `git status`', zh: '运行 `git status`' },
    when: COMMAND,
    call: 'execute_command',
    input: ([, command = '']) => ({ command }),
    say: BLOCK,
  },
]
