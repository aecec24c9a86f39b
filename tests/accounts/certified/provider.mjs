// A certified OpenID Connect provider with three people; its own pages sign them in and ask for consent.
// Arguments: the port, and where the arena has people come back to. With a third one, ID tokens
// carry the address; else it has to be asked for, as the standard has it for this flow.
import { Provider } from 'oidc-provider';

const [port, back, inToken] = process.argv.slice(2);
const people = {
  ann: { name: 'Ann', email: 'ann@example.org', email_verified: true },
  eve: { name: 'Eve', email: 'ann@example.org', email_verified: false },
  zoe: { name: 'Zoe', email: 'zoe@example.org', email_verified: true },
};
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: 'arena', client_secret: 'between us', redirect_uris: [back] }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  conformIdTokenClaims: !inToken,
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  pkce: { required: () => true },
});
provider.listen(Number(port), '127.0.0.1', () => console.log('ready'));
