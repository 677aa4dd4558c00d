// SPDX-License-Identifier: Apache-2.0
package io.outledger.springbenchmark.plain;

import io.outledger.springbenchmark.IdleApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts it and leaves it idle. */
@SpringBootApplication
public class PlainApplication {

  /** Takes for how many milliseconds it is left idle. */
  public static void main(String[] arguments) throws InterruptedException {
    IdleApplication.main(PlainApplication.class, arguments);
  }
}
