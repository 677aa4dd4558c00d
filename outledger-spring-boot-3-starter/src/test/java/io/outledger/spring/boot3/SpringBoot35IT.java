// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.SpringBootContract;

/** The contract's application on Spring Boot 3.5. */
class SpringBoot35IT extends SpringBootContract {

  SpringBoot35IT() {
    super("3.5.");
  }
}
