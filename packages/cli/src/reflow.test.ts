import { expect, it } from 'vitest'
import { reflow } from './reflow.js'

it('joins the lines of a paragraph and of a list item, and nothing else', () => {
  expect(
    reflow(`# Title
Some words
that go on.

- one item
  that goes on
- another
1. first
> quoted
> lines
| a | b |
| - | - |
A break  
here.

    code
    stays

\`\`\`sh
ls
cd
\`\`\`
after
it`)
  ).toMatchInlineSnapshot(`
    "# Title
    Some words that go on.

    - one item that goes on
    - another
    1. first
    > quoted
    > lines
    | a | b |
    | - | - |
    A break  
    here.

        code
        stays

    \`\`\`sh
    ls
    cd
    \`\`\`
    after it"
  `)
})
