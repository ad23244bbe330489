// Imported on first need by those who look into the tokens of a text. A file of its own: bundlers give the names of a CommonJS package to
// static imports only.
export { Lexer } from 'yaml'
