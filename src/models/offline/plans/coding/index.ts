import type { Offer } from '../skill.ts'

export { work } from './work.ts'

/** What can be asked for, tool by tool. */
export const codingOffers: readonly Offer[] = [
  {
    tool: 'read_file',
    offer: {
      en: 'Read or outline a file: “show me lines 10-20 of src/a.ts”, “explain src/a.ts”',
      zh: '读取或概述文件：“读一下 README.md”、“解释 src/a.ts”',
    },
  },
  {
    tool: 'list_directory',
    offer: {
      en: 'See what is here: “what is in src”, “what does this project do?”',
      zh: '查看目录：“列出 src 里的文件”、“这个项目是做什么的？”',
    },
  },
  {
    tool: 'search_files',
    offer: { en: 'Search in files: “search for login in *.ts”', zh: '搜索文件内容：“搜索 登录”' },
  },
  {
    tool: 'glob_files',
    offer: { en: 'Find files by name: “find all test files”', zh: '按名称查找文件：“找出所有 .md 文件”' },
  },
  {
    tool: 'edit_file',
    offer: {
      en: 'Change a piece of a file: “replace `foo` with `bar` in a.txt”',
      zh: '修改文件：“把 a.txt 里的 `foo` 改成 `bar`”',
    },
  },
  {
    tool: 'write_file',
    offer: {
      en: 'Write a new file: “create hello.txt with the text `hello`”',
      zh: '新建文件：“创建 hello.txt，内容为 `你好`”',
    },
  },
  {
    tool: 'diff',
    offer: { en: 'Compare two files: “compare a.txt and b.txt”', zh: '比较文件：“比较 a.txt 和 b.txt”' },
  },
  {
    tool: 'execute_command',
    offer: { en: 'Run a command: “run `npm test`”', zh: '运行命令：“运行 `npm test`”' },
  },
]
