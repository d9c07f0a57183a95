import { describe, expect, it } from 'vitest'

import type { DemoTool } from 'dragoman/agents'
import type { Json } from 'dragoman/events'
import { languageOf } from '../../../../packages/dragoman/src/models/demo/language.ts'
import { useOf } from './page-tools.ts'
import { partsOf } from './parts-of.ts'

type Properties = Readonly<Record<string, Json>>

function tool(name: string, description: string, properties: Properties, required = Object.keys(properties)) {
  const inputSchema = { type: 'object' as const, properties, required }
  return { name, description, inputSchema }
}

const string = { type: 'string' }
const tools = [
  tool('addTodo', 'Add an item to the todo list', { text: string }),
  tool('deleteTodo', 'Removes a todo', { id: { type: 'integer' } }),
  tool('list_todos', 'Lists all todos', {}),
  tool('setTheme', 'Changes the colours of the page', { theme: { type: 'string', enum: ['light', 'dark'] } }),
  tool('sendMessage', 'Sends a message', { to: string, text: string }),
  tool('cart.add', 'Puts a product into the cart', {
    product: string,
    quantity: { type: 'number', default: 1 },
  }),
  tool('greetUser', 'Greets the user', { name: string }),
  tool('weather', 'The weather of a city', { city: string }),
]

const calls = (request: string, all: readonly DemoTool[] = tools) =>
  partsOf(request).flatMap((part) => {
    const use = useOf(part, languageOf(request) ?? 'en', all, request)
    return use ? [{ [use.tool]: use.input }] : []
  })

describe('a tool of a page', () => {
  it.each<[string, object[]]>([
    ['add milk to my todo list', [{ addTodo: { text: 'milk' } }]],
    ['Please add "call Ada" to the list', [{ addTodo: { text: 'call Ada' } }]],
    ['add a todo: buy bread and butter', [{ addTodo: { text: 'buy bread and butter' } }]],
    [
      'add milk to my todo list and add eggs to my todo list',
      [{ addTodo: { text: 'milk' } }, { addTodo: { text: 'eggs' } }],
    ],
    ['create a to-do to water the plants', [{ addTodo: { text: 'water the plants' } }]],
    ['delete todo 3', [{ deleteTodo: { id: 3 } }]],
    ['what is on my todo list?', [{ list_todos: {} }]],
    ['show my todos', [{ list_todos: {} }]],
    ['set the theme to dark', [{ setTheme: { theme: 'dark' } }]],
    ['switch to the light theme', [{ setTheme: { theme: 'light' } }]],
    ['send a message to: Ada, text: "See you"', [{ sendMessage: { to: 'Ada', text: 'See you' } }]],
    ['send the message with to "Ada" and text "See you"', [{ sendMessage: { to: 'Ada', text: 'See you' } }]],
    ['put 2 pears into the cart', [{ 'cart.add': { product: '2 pears', quantity: 2 } }]],
    ['call greetUser with "Ada"', [{ greetUser: { name: 'Ada' } }]],
    ['greet the user, name: Ada', [{ greetUser: { name: 'Ada' } }]],
    ['把牛奶加到待办清单', [{ addTodo: { text: '牛奶' } }]],
    ['请在待办清单里添加买面包', [{ addTodo: { text: '买面包' } }]],
    ['添加一个待办：给妈妈打电话', [{ addTodo: { text: '给妈妈打电话' } }]],
    ['添加“牛奶”，然后添加“鸡蛋”到待办', [{ addTodo: { text: '牛奶' } }, { addTodo: { text: '鸡蛋' } }]],
    ['删除第2个待办', [{ deleteTodo: { id: 2 } }]],
    ['删除待办 7', [{ deleteTodo: { id: 7 } }]],
    ['显示我的待办', [{ list_todos: {} }]],
    ['把主题改成深色', [{ setTheme: { theme: 'dark' } }]],
    ['使用 greetUser，name：“小明”', [{ greetUser: { name: '小明' } }]],
  ])('is called for “%s”', (request, wanted) => {
    expect(calls(request)).toEqual(wanted)
  })

  it.each([
    'hello',
    'what can you do?',
    'how are you',
    'delete the milk',
    'tell me a joke',
    'set the theme to purple',
    '你好',
    '你能做什么？',
    '讲个笑话',
  ])('is left alone for “%s”', (request) => {
    expect(calls(request)).toEqual([])
  })

  it('is known by a description in Chinese', () => {
    const chinese = [
      tool('tool_a', '向购物清单添加一件商品', { name: string }),
      tool('tool_b', '删除购物清单里的商品', { name: string }),
    ]
    expect(calls('把苹果加到购物清单', chinese)).toEqual([{ tool_a: { name: '苹果' } }])
    expect(calls('从购物清单删除苹果', chinese)).toEqual([{ tool_b: { name: '苹果' } }])
  })

  it('may be called, and take, what every object has', () => {
    const own = tool('constructor', 'toString', { valueOf: { type: 'string', enum: ['constructor'] } })

    expect(calls('use the constructor', [own])).toEqual([{ constructor: { valueOf: 'constructor' } }])
    expect(calls('你好', [own])).toEqual([])
  })
})
