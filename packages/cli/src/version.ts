declare const __VERSION__: string | undefined

/** Version of the command, put in by the bundler. */
export const version = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0'
