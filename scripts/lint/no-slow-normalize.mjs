const MESSAGE =
  '`normalize` takes the square of the number of marks on a letter: 200 kB of them stand the event loop for half a ' +
  'minute. Use `normalForm` of dragoman/events.'

/** Reports `text.normalize()` and `text.normalize('NFKC')`; `normalize(path)` of node:path is another function. */
export const noSlowNormalize = {
  create: (context) => ({
    CallExpression({ callee, arguments: given }) {
      const isMethod = callee.type === 'MemberExpression' && callee.property.name === 'normalize'
      const [form] = given
      if (isMethod && (!form || /^NFK?[CD]$/.test(String(form.value ?? 'NFC'))))
        context.report({ node: callee.property, message: MESSAGE })
    },
  }),
}
