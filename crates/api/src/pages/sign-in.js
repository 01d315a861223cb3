// Asks the server whether the token is good before the interface opens with it.
'use strict';
const show = (id) => {
  for (const other of ['wrong', 'gone']) document.getElementById(other).hidden = other !== id;
};
document.getElementById('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  show('');
  const token = document.getElementById('token').value.trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'get_about', args: {} });
  try {
    const answer = await fetch('/api/ui/call', { method: 'POST', headers, body });
    if (answer.status === 401 || answer.status === 403) return show('wrong');
    sessionStorage.setItem('firstknock-token', token);
    location.replace('/');
  } catch {
    show('gone');
  }
});
