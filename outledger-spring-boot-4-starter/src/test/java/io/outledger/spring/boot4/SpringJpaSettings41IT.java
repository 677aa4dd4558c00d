// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.SpringJpaSettingsContract;

/** The capture of JPA entities' events with other settings than the usual ones. */
class SpringJpaSettings41IT extends SpringJpaSettingsContract {}
