import type { DemoExample, DemoScript } from 'dragoman/agents'
import { reply } from './reply.ts'

const examples: readonly DemoExample[] = [
  {
    call: 'read_file',
    readOnly: true,
    example: {
      en: 'Read or outline a file: “show me lines 10-20 of src/a.ts”, “explain src/a.ts”',
      zh: '读取或概述文件：“读一下 README.md”、“解释 src/a.ts”',
    },
  },
  {
    call: 'list_directory',
    readOnly: true,
    example: {
      en: 'See what is here: “what is in src”, “what does this project do?”',
      zh: '查看目录：“列出 src 里的文件”、“这个项目是做什么的？”',
    },
  },
  {
    call: 'search_files',
    readOnly: true,
    example: { en: 'Search in files: “search for login in *.ts”', zh: '搜索文件内容：“搜索 登录”' },
  },
  {
    call: 'glob_files',
    readOnly: true,
    example: { en: 'Find files by name: “find all test files”', zh: '按名称查找文件：“找出所有 .md 文件”' },
  },
  {
    call: 'edit_file',
    example: {
      en: 'Change a piece of a file: “replace `foo` with `bar` in a.txt”',
      zh: '修改文件：“把 a.txt 里的 `foo` 改成 `bar`”',
    },
  },
  {
    call: 'write_file',
    example: {
      en: 'Write a new file: “create hello.txt with the text `hello`”',
      zh: '新建文件：“创建 hello.txt，内容为 `你好`”',
    },
  },
  {
    call: 'diff',
    readOnly: true,
    example: { en: 'Compare two files: “compare a.txt and b.txt”', zh: '比较文件：“比较 a.txt 和 b.txt”' },
  },
  {
    call: 'execute_command',
    example: { en: 'Run a command: “run `npm test`”', zh: '运行命令：“运行 `npm test`”' },
  },
]

/** What the demo model does for the coding agent. */
export const demo: DemoScript = [{ examples, reply }]
