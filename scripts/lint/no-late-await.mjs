const MESSAGE =
  '`{{name}}` is a promise without a handler while the function waits for something else. If it rejects meanwhile, ' +
  'the process gets an unhandledRejection. Attach a handler at once (`.catch`, `.then` with two arguments, ' +
  '`Promise.allSettled`) or await it first.'

/**
 * Reports a promise that is kept in a variable and awaited only after the function has waited for something else.
 * Node ends the process when a promise rejects before a handler is attached to it.
 */
export const noLateAwait = {
  create(context) {
    /** Positions at which each function is suspended. */
    const suspensions = new Map()
    const declarations = []
    const suspend = (node) => {
      const within = functionOf(node)
      suspensions.set(within, [...(suspensions.get(within) ?? []), node])
    }
    return {
      AwaitExpression: suspend,
      YieldExpression: suspend,
      ForOfStatement: (node) => node.await && suspend(node),
      VariableDeclarator(node) {
        if (node.id.type === 'Identifier' && isUnhandled(callOf(node.init))) declarations.push(node)
      },
      'Program:exit'() {
        for (const node of declarations) {
          const [variable] = context.sourceCode.getDeclaredVariables(node)
          if (variable && isLate(node, variable, suspensions.get(functionOf(node)) ?? []))
            context.report({ node, message: MESSAGE.replace('{{name}}', node.id.name) })
        }
      },
    }
  },
}

function isLate(declaration, variable, suspensions) {
  const uses = variable.references
    .map(({ identifier }) => identifier)
    .filter(({ range }) => range[0] > declaration.range[1])
  const own = functionOf(declaration)
  const awaited = uses.filter((use) => awaitOf(use) && functionOf(use) === own)
  if (awaited.length === 0) return false
  const handled = Math.min(...uses.filter(attachesHandler).map(({ range }) => range[0]), Infinity)
  const first = suspensions
    .filter(({ range }) => range[0] > declaration.range[1])
    .toSorted((a, b) => a.range[0] - b.range[0])[0]
  if (!first || handled < first.range[0]) return false
  return !awaited.some((use) => awaitOf(use) === first)
}

/** The `await` of this promise, alone or through `Promise.all` and similar. */
function awaitOf(use) {
  let node = use.parent
  while (node && isCarrier(node)) node = node.parent
  return node?.type === 'AwaitExpression' || (node?.type === 'ForOfStatement' && node.await)
    ? node
    : undefined
}

function isCarrier(node) {
  if (
    node.type === 'ArrayExpression' ||
    node.type === 'SpreadElement' ||
    node.type === 'ParenthesizedExpression'
  )
    return true
  return isCall(node) && /^Promise\.(all|allSettled|race|any)$/.test(nameOf(node.callee))
}

/** `promise.catch(…)`, `promise.then(a, b)`, or a promise handed to a function: it is that function's to handle. */
function attachesHandler(use) {
  const { parent } = use
  if (isCall(parent) && parent.arguments.includes(use)) return true
  if (parent.type !== 'MemberExpression' || parent.object !== use || !isCall(parent.parent)) return false
  return isHandler(parent.parent)
}

/** The call that gives the value: `a.b()`, and `a?.b()` too. */
function callOf(init) {
  const node = init?.type === 'ChainExpression' ? init.expression : init
  return isCall(node) ? node : undefined
}

/** Whether the call does not itself end with a handler. */
function isUnhandled(call) {
  return call !== undefined && !isHandler(call)
}

function isHandler({ callee, arguments: given }) {
  const method = callee.type === 'MemberExpression' ? callee.property.name : undefined
  return method === 'catch' || (method === 'then' && given.length === 2)
}

function isCall(node) {
  return node?.type === 'CallExpression'
}

function nameOf(callee) {
  return callee.type === 'MemberExpression' ? `${callee.object.name}.${callee.property.name}` : ''
}

function functionOf(node) {
  let each = node.parent
  while (each && !/Function|Program/.test(each.type)) each = each.parent
  return each
}
