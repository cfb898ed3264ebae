// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.math.BigInteger;
import java.time.InstantSource;
import java.util.List;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.Test;

class ServingPairTest {
    private static final CertMaterial MATERIAL = issue();
    private static final String CERTIFICATE = Pem.of(MATERIAL.leaf());

    @Test
    void readsAKeyAsPkcs8() throws Exception {
        var pair = ServingPair.read(CERTIFICATE, Pem.of(MATERIAL.leafKey()));
        assertThat(pair.chain()).containsExactly(MATERIAL.leaf());
    }

    @Test
    void readsAKeyAsOpensslWritesIt() throws Exception {
        BigInteger secret = ((java.security.interfaces.ECPrivateKey) MATERIAL.leafKey()).getS();
        var sec1 = new ECPrivateKey(256, secret, SECObjectIdentifiers.secp256r1);
        var text = new StringWriter();
        try (var writer = new PemWriter(text)) {
            writer.writeObject(new PemObject("EC PRIVATE KEY", sec1.getEncoded()));
        }
        assertThat(ServingPair.read(CERTIFICATE, text.toString()).key().getAlgorithm())
                .startsWith("EC");
    }

    @Test
    void keepsTheChainInItsOrder() throws Exception {
        var pair =
                ServingPair.read(
                        CERTIFICATE + Pem.of(MATERIAL.newestAuthority()),
                        Pem.of(MATERIAL.leafKey()));
        assertThat(pair.chain()).containsExactly(MATERIAL.leaf(), MATERIAL.newestAuthority());
    }

    @Test
    void namesTheFileThatCannotBeUsed() {
        String key = Pem.of(MATERIAL.leafKey());
        assertThatThrownBy(() -> ServingPair.read("", key)).hasMessageContaining("tls.crt");
        assertThatThrownBy(() -> ServingPair.read("nonsense", key)).hasMessageContaining("tls.crt");
        assertThatThrownBy(() -> ServingPair.read(CERTIFICATE, "nonsense"))
                .hasMessageContaining("tls.key");
        assertThatThrownBy(() -> ServingPair.read(CERTIFICATE, Pem.of(issue().leafKey())))
                .hasMessageContaining("another certificate");
    }

    private static CertMaterial issue() {
        var cluster = new FakeCluster();
        var rotator =
                new Rotator(CertPolicy.of(List.of("a")), cluster, cluster, InstantSource.system());
        return rotator.pass().material().orElseThrow();
    }
}
