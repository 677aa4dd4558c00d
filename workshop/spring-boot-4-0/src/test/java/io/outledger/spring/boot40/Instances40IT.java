// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import io.outledger.spring.contract.InstancesContract;

/** Instances with and without a relay on this line of Spring Boot. */
class Instances40IT extends InstancesContract {}
