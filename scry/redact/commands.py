r"""The table of commands that are given a password: which programs, and what stands before it.

    programs   what stands before the secret

`|` parts programs and `_` is a blank in them.  What stands before the secret is a regular expression: `…` is one of
the programs and anything of the same command.  A mark may follow: `:` says that the secret stands behind `user:`, `@`
the same with an `@` behind it, and `+` that no blank need stand before it.  The secret may be in quotes.

Commands that take more explaining stand in `places`.  To extend: add a row.
"""

import re
from collections.abc import Iterator

_TABLE = r"""
twine                                           …-p
rclone                                          rclone[ ]obscure
skopeo|oras                                     …--(?:src-|dest-)?creds                              :
passphrase                                      wpa_passphrase[ ](?:"[^"\n]{1,40}"|'[^'\n]{1,40}'|\S{1,40})
openssl_passwd                                  openssl[ ]passwd(?:[ ]-\w{1,7}){0,3}
keytool|jarsigner|apksigner                     …-{1,2}(?:src|dest|new|ks-|key-)?(?:store)?(?:key)?pass(?:word)?
ldappasswd                                      …-[saw]
keyvault|put-parameter                          …--value
secretsmanager                                  …--secret-string
gh_secret                                       …-b                                                  +
ansible-vault                                   …encrypt_string
vault_operator|vault_login                      vault[ ](?:operator[ ]unseal|login)(?:[ ]-\S{1,40}+){0,3}+
useradd|usermod|mkpasswd                        …-p
rar_|unrar                                      …-hp                                                 +
ssh-keygen                                      …(?-i:-[NP])
netsh                                           …keymaterial=                                        +
networksetup                                    …-setairportnetwork[ ]\w{1,10}[ ](?:"[^"\n]{1,40}"|\S{1,40})
add-generic-password|add-internet-password      …-w
unlock-keychain|create-keychain|set-keychain-password  …-p
altool|notarytool                               …-p
psexec|winexe                                   …-p
plink|pscp|psftp|putty                          …-pw
x11vnc                                          …-passwd
snmpget|snmpwalk|snmpset|snmpbulkwalk|snmptrap  …-[cax]
isql|tsql|fisql                                 …-p                                                  +
mosquitto                                       mosquitto_passwd[ ]-b[ ]\S{1,80}[ ]\S{1,40}
cf_auth                                         cf[ ]auth[ ]\S{1,80}
bw_login                                        bw[ ]login[ ]\S{1,80}
bw_unlock                                       bw[ ]unlock
nuget                                           …(?:-p|setapikey|-k|--api-key)
poetry_config                                   poetry[ ]config[ ](?:http-basic|pypi-token)\.\S{1,40}[ ](?:[^\s-]\S{0,40}[ ])?   +
pulumi                                          …--secret[ ]\S{1,60}
ncftpput|ncftpget|ncftp                         …-p
swaks|sendemail                                 …-(?:ap|xp|-auth-password)
mc_alias                                        mc[ ]alias[ ]set[ ]\S{1,40}[ ]\S{1,100}[ ]\S{1,60}
openvpn                                         …--askpass
mysqlsh                                         mysqlsh[ ][\w.-]{1,40}                               @
oathtool                                        oathtool(?:[ ]-{1,2}[\w-]{1,12}(?:=\S{1,20})?(?:[ ]\d{1,3})?){0,5}
snyk_auth                                       snyk[ ]auth
kubeadm                                         …--token
netbird|headscale                               …(?:--setup-key|preauthkeys?)
jenkins-cli                                     …-auth                                               :
samba-tool                                      …--(?:new|admin)?password
zip2john|fcrackzip|crackmapexec|netexec|evil-winrm  …-p
racadm                                          …-p
hdiutil                                         …-passphrase
certutil                                        certutil\b[^\n|;]{0,60}?\s-p
signtool                                        …/p
aws_configure                                   aws[ ]configure[ ]set[ ]\S{0,60}secret\S{0,30}
erl_|iex|elixir|rabbitmqctl                     …--?(?:set)?cookie
nordvpn|protonvpn                               …--token
nickserv|chanserv                               …identify
docker_swarm                                    …--token
k3s_agent|k3s_server                            …--token
nsupdate                                        …-y[ ][\w.:-]{1,80}:                                 +
kadmin|addprinc|cpw                             …-pw
"""
_COLUMNS = re.compile(r"(\S+)\s+(\S.*?)(?:\s{2,}([:@+]))?\s*\Z")
_GAP = r"\b(?:{names})\b[^\n|;]{{0,160}}?\s"
_GIVEN = r"""(?![a-z]{2,12}=)["']?(?P<s>(?:(?<=")[^"\n]{4,200}(?="))|(?:(?<=')[^'\n]{4,200}(?='))|[^\s"'|&;<>)]{3,200})"""
_USER = r"""[ =]{0,3}["']?[^\s:"'$/{(]{1,80}:"""
_MARKS = {
    "": (r"(?:[ ]{1,3}|=)" + _GIVEN, "flag"),
    "+": (r"[ =]{0,3}" + _GIVEN, "flag"),
    ":": (_USER + r"""(?P<s>[^\s"']{3,200})""", "login"),
    "@": (_USER.replace("/{(", "/{(@") + r"""(?P<s>[^\s"'@]{3,200})(?=@)""", "login"),
}


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield triggers, check and expression of each row, as those of `places` have them."""
    for line in _TABLE.strip().splitlines():
        programs, before, mark = _COLUMNS.findall(line)[0]
        names = [re.escape(name.strip("_")).replace("_", "[ ]") for name in programs.split("|")]
        behind, check = _MARKS[mark or ""]
        gap = _GAP.format(names="|".join(names))
        yield programs, check, before.replace("…", gap, 1) + behind
