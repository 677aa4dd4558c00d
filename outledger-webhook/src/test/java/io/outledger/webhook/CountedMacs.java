// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.Provider;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.MacSpi;

/** Counts how often this process makes an HMAC-SHA256, as long as it is open. */
final class CountedMacs implements AutoCloseable {

  private static final String NAME = CountedMacs.class.getSimpleName();
  private static final String ALGORITHM = "HmacSHA256";

  private final AtomicInteger made = new AtomicInteger();

  CountedMacs() {
    Security.insertProviderAt(new Counting(made), 1);
  }

  int made() {
    return made.get();
  }

  @Override
  public void close() {
    Security.removeProvider(NAME);
  }

  private static final class Counting extends Provider {

    private static final long serialVersionUID = 1L;

    Counting(AtomicInteger made) {
      super(NAME, "1", NAME);
      putService(
          new Service(this, "Mac", ALGORITHM, CountedMac.class.getName(), List.of(), Map.of()) {
            @Override
            public Object newInstance(Object parameter) {
              return new CountedMac(made);
            }
          });
    }
  }

  private static final class CountedMac extends MacSpi {

    private final AtomicInteger made;
    private final Mac mac;

    CountedMac(AtomicInteger made) {
      this.made = made;
      try {
        this.mac = Mac.getInstance(ALGORITHM, "SunJCE");
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    protected int engineGetMacLength() {
      return mac.getMacLength();
    }

    @Override
    protected void engineInit(Key key, AlgorithmParameterSpec parameters)
        throws InvalidKeyException {
      mac.init(key);
    }

    @Override
    protected void engineUpdate(byte input) {
      mac.update(input);
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {
      mac.update(input, offset, length);
    }

    @Override
    protected byte[] engineDoFinal() {
      made.incrementAndGet();
      return mac.doFinal();
    }

    @Override
    protected void engineReset() {
      mac.reset();
    }
  }
}
