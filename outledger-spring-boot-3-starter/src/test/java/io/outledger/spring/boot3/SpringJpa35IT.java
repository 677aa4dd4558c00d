// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.SpringJpaContract;

/** The events of JPA entities on Spring Boot 3.5. */
class SpringJpa35IT extends SpringJpaContract {}
